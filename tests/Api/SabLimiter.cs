using System.Net;
using NzbDav.Access.Attempts;
using NzbDav.WebDav.Access;

namespace NzbDav.Api.Tests;

/// <summary>The limiter of the real server, on the test's clock.</summary>
internal sealed class SabLimiter(TimeProvider clock) : IAttemptLimiter
{
    private readonly FailureLimiter _limiter = new(clock, max: 10, TimeSpan.FromMinutes(5));

    public TimeSpan Pause => FailureLimiter.Trickle;

    public bool TryBegin(IPAddress? address) => _limiter.TryBegin(address);

    public void Forgive(IPAddress? address) => _limiter.Forgive(address);
}
