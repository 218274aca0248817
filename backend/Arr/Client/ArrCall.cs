namespace NzbDav.Arr.Client;

/// <summary>One request, before it is a message: it may be sent several times.</summary>
/// <param name="Method">GET, POST, PUT or DELETE.</param>
/// <param name="Path">Below the API, without a slash at its head, with the query.</param>
/// <param name="Body">JSON, or null for none.</param>
/// <param name="Timeout">For one attempt.</param>
internal sealed record ArrCall(HttpMethod Method, string Path, byte[]? Body, TimeSpan Timeout);
