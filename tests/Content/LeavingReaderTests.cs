namespace NzbDav.Content.Tests;

/// <summary>Readers that are disposed or cancelled.</summary>
public sealed class LeavingReaderTests
{
    [Fact]
    public async Task Disposal_drops_unsent_requests_and_lets_the_others_arrive()
    {
        using var fixture = new SegmentFixture();
        var reader = fixture.Open();
        var attempt = fixture.Fetcher["s0"].Answer().Show(10);
        fixture.Fetcher["s1"].Send();
        await reader.DisposeAsync();
        await reader.DisposeAsync();
        Assert.Equal(["s2"], fixture.Fetcher.DroppedIds);
        Assert.Equal((0, 2), (fixture.Cache.Open, fixture.Cache.Count));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.NextAsync(CancellationToken.None));
        attempt.Complete();
        fixture.Fetcher["s1"].Complete();
        await using var next = fixture.Open(0, 200_000);
        await fixture.ReadAsync(next, 200_000);
        Assert.Equal(3, fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public async Task A_reader_disposed_while_waiting_leaks_nothing()
    {
        using var fixture = new SegmentFixture();
        var reader = fixture.Open();
        fixture.Fetcher["s0"].Send();
        var waiting = reader.NextAsync(CancellationToken.None).AsTask();
        await reader.DisposeAsync();
        fixture.Fetcher["s0"].Complete();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
    }

    [Fact]
    public async Task A_cancelled_read_consumes_nothing()
    {
        using var fixture = new SegmentFixture();
        await using var reader = fixture.Open();
        var attempt = fixture.Fetcher["s0"].Answer().Show(1000);
        await fixture.ReadAsync(reader, 1000);
        using var cancel = new CancellationTokenSource();
        var waiting = reader.NextAsync(cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(1000, reader.Position);
        attempt.Complete();
        await fixture.ReadAsync(reader, 99_000);
        Assert.Equal(100_000, reader.Position);
    }
}
