namespace NzbDav.Api.Native.Events;

/// <summary>Data of the event "hello", which begins each stream.</summary>
/// <param name="Epoch">The first half of the ids of events; differs after a restart.</param>
/// <param name="Version">The server's version.</param>
/// <param name="Time">The server's clock.</param>
internal sealed record HelloBody(string Epoch, string Version, DateTimeOffset Time);
