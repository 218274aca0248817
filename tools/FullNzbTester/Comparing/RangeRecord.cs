namespace NzbDav.FullNzbTester.Comparing;

/// <summary>What a reader got: a range and its checksum.</summary>
/// <param name="Stage">Who read it.</param>
/// <param name="Start">First byte.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Sha256">Of the bytes, in hexadecimal.</param>
internal sealed record RangeRecord(string Stage, long Start, long Length, string Sha256);
