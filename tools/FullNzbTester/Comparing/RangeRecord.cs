namespace NzbDav.FullNzbTester.Comparing;

/// <summary>A range that a reader received, with its checksum.</summary>
/// <param name="Stage">Who read it.</param>
/// <param name="Start">First byte.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Sha256">Of the bytes, in hexadecimal.</param>
internal sealed record RangeRecord(string Stage, long Start, long Length, string Sha256);
