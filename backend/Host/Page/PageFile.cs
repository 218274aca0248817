namespace NzbDav.Host.Page;

/// <summary>A file of the built page as it is on disk.</summary>
/// <param name="Path">Where it lies.</param>
/// <param name="ContentType">Its type, with the charset of texts.</param>
/// <param name="IsImmutable">Its name holds a hash of its content: browsers may keep it for good.</param>
/// <param name="Hash">Of its content; the copies that are compressed add their coding to it.</param>
/// <param name="Brotli">Length of the copy at <c>Path.br</c>; null: there is none.</param>
/// <param name="Gzip">Length of the copy at <c>Path.gz</c>; null: there is none.</param>
/// <param name="Length">Bytes.</param>
internal sealed record PageFile(string Path, string ContentType, bool IsImmutable, string Hash, long? Brotli, long? Gzip, long Length);
