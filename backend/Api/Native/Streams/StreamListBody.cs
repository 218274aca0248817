namespace NzbDav.Api.Native.Streams;


/// <summary>The current readers.</summary>
/// <param name="Streams">In the order in which they began.</param>
internal sealed record StreamListBody(IReadOnlyList<StreamBody> Streams);
