namespace NzbDav.Arr.Client;

/// <summary>One API call. It may be sent several times, each time as a new HTTP message.</summary>
/// <param name="Method">GET, POST, PUT or DELETE.</param>
/// <param name="Path">Path below the API, without a leading slash, including the query.</param>
/// <param name="Body">JSON body; null: none.</param>
/// <param name="Timeout">Time-out of one attempt.</param>
internal sealed record ArrCall(HttpMethod Method, string Path, byte[]? Body, TimeSpan Timeout);
