namespace NzbDav.MockUsenet.Statistics;

/// <summary>A response of the side port.</summary>
internal sealed record SideResponse(int Status, string Type, ReadOnlyMemory<byte> Body);
