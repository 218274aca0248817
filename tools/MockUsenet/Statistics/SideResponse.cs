namespace NzbDav.MockUsenet.Statistics;

/// <summary>One answer on the side port.</summary>
internal sealed record SideResponse(int Status, string Type, ReadOnlyMemory<byte> Body);
