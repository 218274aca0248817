using NzbDav.Usenet.Checks;

namespace NzbDav.Api.Native.Providers;

/// <summary>One step of a provider's test.</summary>
/// <param name="Name">The step.</param>
/// <param name="Ok">Nothing is wrong.</param>
/// <param name="Skipped">It was skipped; the message says why.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Message">What was found, and what to do if it is wrong.</param>
internal sealed record ProviderStepBody(CheckStep Name, bool Ok, bool Skipped, double Seconds, string Message);
