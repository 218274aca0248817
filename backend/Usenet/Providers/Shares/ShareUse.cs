namespace NzbDav.Usenet.Providers.Shares;

/// <summary>How a pool uses its connections.</summary>
/// <param name="InUse">Connections with a request under way, or used within the last seconds.</param>
/// <param name="Recent">Connections used within the last minute, those in use included.</param>
/// <param name="Waiting">Requests that wait for a connection.</param>
internal readonly record struct ShareUse(int InUse, int Recent, int Waiting);
