namespace NzbDav.Api.Sab;

/// <summary>What one provider gave on one day.</summary>
internal sealed record TrafficDay(long Bytes, long Tried, long Success)
{
    public static TrafficDay operator +(TrafficDay left, TrafficDay right) => new(left.Bytes + right.Bytes, left.Tried + right.Tried, left.Success + right.Success);
}
