namespace NzbDav.FullNzbTester.Dav;

/// <summary>How one GET went.</summary>
/// <param name="Status">What the server said; 0 if it said nothing.</param>
/// <param name="Received">Bytes of the body that came.</param>
/// <param name="FirstByte">From the request to the first byte of the body.</param>
/// <param name="All">From the request to the last byte that was read.</param>
/// <param name="Fault">What was not as it must be; null when all was.</param>
/// <param name="Silent">True when the response itself claims to be whole, though it is not.</param>
internal sealed record RangeRead(int Status, long Received, TimeSpan FirstByte, TimeSpan All, string? Fault = null, bool Silent = false)
{
    /// <summary>True when the response began well and was cut: whoever reads it can tell.</summary>
    public bool IsCut => Status is 200 or 206 && Fault is not null && !Silent;
}
