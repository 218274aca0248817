using static NzbDav.Content.Tests.FlightFixture;

namespace NzbDav.Content.Tests;

/// <summary>Leases of bytes that are not verified yet, or never are.</summary>
public sealed class VerifiedLeaseTests : IDisposable
{
    private readonly FlightFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void A_lease_keeps_the_bytes_of_its_attempt()
    {
        var first = _fixture.Segment.Answer(Wrong(3)).Show(10);
        using var lease = _fixture.Flight.TryLend(0, 10)!;
        first.Withdraw();
        _fixture.Segment.Complete();
        Assert.Equal(Wrong(3)[..10], lease.Memory.ToArray());
    }

    [Fact]
    public async Task A_lease_is_verified_together_with_its_segment()
    {
        var attempt = _fixture.Segment.Answer().Show(1000);
        using var lease = _fixture.Flight.TryLend(0, 1000)!;
        using var part = lease.Slice(10, 5);
        var verified = part.WhenVerifiedAsync(CancellationToken.None).AsTask();
        Assert.Equal((false, false, false), (lease.IsVerified, part.IsVerified, verified.IsCompleted));
        attempt.Complete();
        await verified;
        Assert.Equal((true, true), (lease.IsVerified, part.IsVerified));
        using var whole = _fixture.Flight.TryLend(0, Size)!;
        Assert.True(whole.IsVerified);
        part.Dispose();
        Assert.True(part.IsVerified);
    }

    [Fact]
    public async Task A_lease_of_bytes_that_turned_out_wrong_is_never_verified()
    {
        var first = _fixture.Segment.Answer(Wrong(3)).Show(10);
        using var lease = _fixture.Flight.TryLend(0, 10)!;
        first.Withdraw();
        _fixture.Segment.Complete();
        Assert.False(lease.IsVerified);
        Assert.Equal(ContentFault.Corrupt,
            (await Assert.ThrowsAsync<ContentException>(async () => await lease.WhenVerifiedAsync(CancellationToken.None))).Fault);
        using var right = _fixture.Flight.TryLend(0, 10)!;
        Assert.True(right.IsVerified);
    }

    [Theory]
    [InlineData(ContentFault.Missing)]
    [InlineData(ContentFault.Corrupt)]
    [InlineData(ContentFault.Unavailable)]
    public async Task A_lease_of_a_segment_that_failed_is_never_verified(ContentFault fault)
    {
        var attempt = _fixture.Segment.Answer().Show(10);
        using var lease = _fixture.Flight.TryLend(0, 10)!;
        var verified = lease.WhenVerifiedAsync(CancellationToken.None).AsTask();
        attempt.Withdraw();
        _fixture.Segment.Fail(fault);
        Assert.Equal(fault, (await Assert.ThrowsAsync<ContentException>(() => verified)).Fault);
        Assert.False(lease.IsVerified);
    }

    [Fact]
    public async Task Waiting_for_verification_can_be_cancelled()
    {
        var attempt = _fixture.Segment.Answer().Show(10);
        using var lease = _fixture.Flight.TryLend(0, 10)!;
        using var leave = new CancellationTokenSource();
        var verified = lease.WhenVerifiedAsync(leave.Token).AsTask();
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => verified);
        attempt.Complete();
        Assert.True(lease.IsVerified);
    }

    [Fact]
    public void A_lease_is_not_verified_if_its_segment_turns_out_to_lie_elsewhere()
    {
        // Nobody said what to expect, so that any place is shown; the next copy has the same bytes and another place.
        var flight = _fixture.Segments.Fly(SegmentKey.Unknown("s7"));
        var first = _fixture.Segments.Fetcher["s7"].Answer(Right, begin: 0).Show(100);
        using var lease = flight.TryLend(0, 100)!;
        first.Withdraw();
        _fixture.Segments.Fetcher["s7"].Complete(Right, begin: 500);
        Assert.Equal((true, 1, false), (flight.IsFound, flight.Generation, lease.IsVerified));
        _fixture.Segments.Cache.Close(flight);
    }
}
