//! A system without namespaces.

use std::convert::Infallible;

use crate::{job::Job, sandbox_error::SandboxError};

pub(crate) fn enter(_job: &Job) -> Result<(), SandboxError> {
    Err(SandboxError::refused("this system has no namespaces"))
}

pub(crate) fn be_first(_job: &Job, _supervisor: u32) -> Result<Infallible, SandboxError> {
    Err(SandboxError::refused("this system has no namespaces"))
}
