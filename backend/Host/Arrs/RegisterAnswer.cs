namespace NzbDav.Host.Arrs;

/// <summary>What registering did.</summary>
/// <param name="Created">True if the download client is new there; else one was brought up to date.</param>
/// <param name="Warnings">What to look at, in words.</param>
internal sealed record RegisterAnswer(bool Created, IReadOnlyList<string> Warnings);
