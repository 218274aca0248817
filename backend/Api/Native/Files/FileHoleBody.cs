namespace NzbDav.Api.Native.Files;


/// <summary>Bytes of a file that are known to be missing.</summary>
/// <param name="Offset">First of them.</param>
/// <param name="Length">How many.</param>
/// <param name="Reason">Why, for people.</param>
internal sealed record FileHoleBody(long Offset, long Length, string Reason);
