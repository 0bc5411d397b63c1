// /doc/api: every call of the API, from the document that the server makes of its own contracts.
export default function ApiPage() {
  return null;
}
