// The code stands behind # in the link: a browser never sends it. It leaves the address at once.
const code = location.hash.slice(1);
const form = document.getElementById('door');
if (code && form) {
  history.replaceState(null, '', '/in');
  form.elements.code.value = code;
  form.submit();
}
