namespace NzbDav.Api.Native.Streams;


/// <summary>Who reads what now.</summary>
/// <param name="Streams">By their beginning.</param>
internal sealed record StreamListBody(IReadOnlyList<StreamBody> Streams);
