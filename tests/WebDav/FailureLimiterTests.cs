using System.Net;
using NzbDav.WebDav.Access;

namespace NzbDav.WebDav.Tests;

public class FailureLimiterTests
{
    private static readonly IPAddress Address = IPAddress.Parse("192.0.2.1");

    private readonly ManualClock _clock = new();
    private readonly FailureLimiter _limiter;

    public FailureLimiterTests() => _limiter = new(_clock, max: 3, TimeSpan.FromMinutes(5));

    [Fact]
    public void An_attempt_counts_from_its_beginning()
    {
        Assert.True(_limiter.TryBegin(Address) && _limiter.TryBegin(Address) && _limiter.TryBegin(Address));
        Assert.True(_limiter.TryBegin(Address), "the first attempt of the trickle is allowed at once");
        Assert.False(_limiter.TryBegin(Address));
        Assert.True(_limiter.TryBegin(IPAddress.Parse("192.0.2.2")));
        _clock.Now += FailureLimiter.Trickle;
        Assert.True(_limiter.TryBegin(Address));
        Assert.False(_limiter.TryBegin(Address));
        _clock.Now += TimeSpan.FromMinutes(5);
        Assert.True(_limiter.TryBegin(Address) && _limiter.TryBegin(Address));
    }

    [Fact]
    public void Right_passwords_do_not_count()
    {
        for (var i = 0; i < 100; i++)
        {
            Assert.True(_limiter.TryBegin(Address));
            _limiter.Forgive(Address);
        }
    }

    [Fact]
    public void An_IPv6_prefix_or_mapped_IPv4_address_shares_one_record()
    {
        for (var i = 0; i < 4; i++)
            Assert.True(_limiter.TryBegin(IPAddress.Parse($"2001:db8:1:2::{i}")));
        Assert.False(_limiter.TryBegin(IPAddress.Parse("2001:db8:1:2:ffff::9")));
        Assert.True(_limiter.TryBegin(IPAddress.Parse("2001:db8:1:3::1")));
        for (var i = 0; i < 4; i++)
            Assert.True(_limiter.TryBegin(i % 2 == 0 ? Address : Address.MapToIPv6()));
        Assert.False(_limiter.TryBegin(Address));
        Assert.True(_limiter.TryBegin(address: null));
    }

    [Fact]
    public void The_number_of_remembered_addresses_is_bounded()
    {
        for (var i = 0; i < 50_000; i++)
        {
            Assert.True(_limiter.TryBegin(new IPAddress(i)));
            Assert.InRange(_limiter.Count, 1, FailureLimiter.MaxAddresses);
        }
    }

    private sealed class ManualClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = DateTimeOffset.UnixEpoch;

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
