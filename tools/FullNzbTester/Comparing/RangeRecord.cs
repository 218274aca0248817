namespace NzbDav.FullNzbTester.Comparing;

/// <summary>A range that a reader received, with its checksum.</summary>
/// <param name="Stage">The stage that read it.</param>
/// <param name="Start">First byte.</param>
/// <param name="Length">Number of bytes.</param>
/// <param name="Sha256">SHA-256 of the bytes, in hexadecimal.</param>
internal sealed record RangeRecord(string Stage, long Start, long Length, string Sha256);
