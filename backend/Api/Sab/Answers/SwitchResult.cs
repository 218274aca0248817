namespace NzbDav.Api.Sab.Answers;

/// <summary>See <see cref="SwitchAnswer"/>.</summary>
internal sealed record SwitchResult(int Position, int Priority);
