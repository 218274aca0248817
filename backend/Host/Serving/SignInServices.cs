using System.Net;
using NzbDav.Access;
using NzbDav.Access.Attempts;
using NzbDav.Access.Options;
using NzbDav.WebDav.Access;

namespace NzbDav.Host.Serving;

/// <summary>Registers sign-in. Wrong passwords on WebDAV and on the page are counted together.</summary>
internal static class SignInServices
{
    public static void AddSignIn(this IServiceCollection services, string folder, ServerFacts facts)
    {
        services.AddSingleton<IAttemptLimiter, SharedLimiter>();
        services.AddAccess(Path.Combine(folder, "keys"), facts);
    }

    private sealed class SharedLimiter(FailureLimiter limiter) : IAttemptLimiter
    {
        public TimeSpan Pause => FailureLimiter.Trickle;

        public bool TryBegin(IPAddress? address) => limiter.TryBegin(address);

        public void Forgive(IPAddress? address) => limiter.Forgive(address);
    }
}
