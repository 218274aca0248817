namespace NzbDav.FullNzbTester.Dav;

/// <summary>Result of one GET.</summary>
/// <param name="Status">Status code; 0 if there was no response.</param>
/// <param name="Received">Bytes of the body received.</param>
/// <param name="FirstByte">Time from the request to the first byte of the body.</param>
/// <param name="All">Time from the request to the last byte that was read.</param>
/// <param name="Fault">What went wrong; null when nothing did.</param>
/// <param name="Silent">True when the response claims to be complete but is not.</param>
internal sealed record RangeRead(int Status, long Received, TimeSpan FirstByte, TimeSpan All, string? Fault = null, bool Silent = false)
{
    /// <summary>True if a successful response was cut, which the reader could notice.</summary>
    public bool IsCut => Status is 200 or 206 && Fault is not null && !Silent;
}
