using NzbDav.Usenet.Checks;

namespace NzbDav.Api.Native.Providers;

/// <summary>One step of a provider's test.</summary>
/// <param name="Name">Which.</param>
/// <param name="Ok">Nothing is wrong.</param>
/// <param name="Skipped">It was not made; the message says why.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Message">What was found, and if it is wrong what to do.</param>
internal sealed record ProviderStepBody(CheckStep Name, bool Ok, bool Skipped, double Seconds, string Message);
