namespace NzbDav.Api.Sab.Traffic;

/// <summary>Traffic of one provider on one day.</summary>
internal sealed record TrafficDay(long Bytes, long Tried, long Success)
{
    public static TrafficDay operator +(TrafficDay left, TrafficDay right) => new(left.Bytes + right.Bytes, left.Tried + right.Tried, left.Success + right.Success);
}
