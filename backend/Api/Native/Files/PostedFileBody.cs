namespace NzbDav.Api.Native.Files;


/// <summary>A posted file that holds bytes of a file.</summary>
/// <param name="Index">Its number among those of this file, from 0.</param>
/// <param name="Name">What it was posted as; null where the .nzb is gone or does not tell.</param>
/// <param name="Offset">Where its bytes begin in the file.</param>
/// <param name="Length">Bytes of the file that it holds.</param>
/// <param name="Articles">Articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
internal sealed record PostedFileBody(int Index, string? Name, long Offset, long Length, int Articles, int Missing);
