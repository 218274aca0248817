namespace NzbDav.Host.Upkeep;

/// <summary>What was learned of a provider's answers.</summary>
/// <param name="Name">The provider.</param>
/// <param name="Doubted">Since when its 430 does not count; null: it counts.</param>
/// <param name="LiesByStat">Its STAT says yes to what it cannot deliver: articles are fetched from it instead.</param>
/// <param name="Bodies">Articles fetched from it after a yes.</param>
/// <param name="Lies">Of these, those that it did not have, less the posts of which it told the truth since.</param>
internal sealed record HealthAccountBody(string Name, DateTimeOffset? Doubted, bool LiesByStat, int Bodies, int Lies);
