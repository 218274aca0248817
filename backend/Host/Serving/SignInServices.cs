using System.Net;
using NzbDav.Access;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>Puts sign-in together. Wrong passwords of WebDAV and of the interface count together.</summary>
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
