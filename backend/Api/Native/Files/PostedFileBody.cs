namespace NzbDav.Api.Native.Files;


/// <summary>A posted file that holds bytes of a file.</summary>
/// <param name="Index">Its number among those of this file, from 0.</param>
/// <param name="Name">The name under which it was posted; null if the .nzb is gone or does not name it.</param>
/// <param name="Offset">Offset of its first byte in the file.</param>
/// <param name="Length">Number of the file's bytes that it holds.</param>
/// <param name="Articles">Number of articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
internal sealed record PostedFileBody(int Index, string? Name, long Offset, long Length, int Articles, int Missing);
