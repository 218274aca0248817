using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding.Tests;

/// <summary>Totals of a torrent across the times it is opened.</summary>
public sealed class TorrentMeterTests
{
    private static readonly DateTimeOffset Now = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(2);

    [Fact]
    public void New_traffic_is_added_to_the_stored_totals()
    {
        var meter = new TorrentMeter(
            new TorrentTotals(100, 200, TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(3)));
        var opened = new object();
        meter.Sample(opened, 10, 0, isSeeding: false, Step, Now);
        meter.Sample(opened, 15, 4, isSeeding: false, Step, Now + Step);
        Assert.Equal(new TorrentTotals(115, 204, TimeSpan.FromSeconds(9), TimeSpan.FromSeconds(5), TimeSpan.Zero), meter.Totals);
        Assert.Equal(Now + Step, meter.LastActive);
        Assert.True(meter.IsChanged);
    }

    [Fact]
    public void Each_opening_counts_from_zero()
    {
        var meter = new TorrentMeter(default);
        meter.Sample(new object(), 10, 1, isSeeding: false, Step, Now);
        meter.Sample(open: null, 0, 0, isSeeding: false, Step, Now);
        meter.Sample(new object(), 10, 1, isSeeding: false, Step, Now);
        Assert.Equal((20, 2), (meter.Totals.Downloaded, meter.Totals.Uploaded));
        Assert.Equal(TimeSpan.Zero, meter.Totals.Active);
    }

    [Fact]
    public void Seeding_time_counts_from_completion_and_any_upload_ends_idle_time()
    {
        var meter = new TorrentMeter(default);
        var opened = new object();
        meter.Sample(opened, 0, 0, isSeeding: false, Step, Now);
        meter.Sample(opened, 0, 0, isSeeding: true, Step, Now);
        meter.Sample(opened, 0, 0, isSeeding: true, Step, Now);
        meter.Sample(opened, 0, 0, isSeeding: true, Step, Now);
        Assert.Equal((3 * Step, 2 * Step, 2 * Step), (meter.Totals.Active, meter.Totals.Seeding, meter.Totals.Idle));
        Assert.Equal(3 * Step, meter.Still);
        meter.Sample(opened, 0, 1, isSeeding: true, Step, Now);
        Assert.Equal((4 * Step, 3 * Step, TimeSpan.Zero), (meter.Totals.Active, meter.Totals.Seeding, meter.Totals.Idle));
        Assert.Equal(TimeSpan.Zero, meter.Still);
    }
}
