namespace NzbDav.Host.Upkeep;

/// <summary>How reliable a provider's answers are.</summary>
/// <param name="Name">The provider.</param>
/// <param name="Doubted">Since when its 430 answers are ignored; null: they count.</param>
/// <param name="LiesByStat">Its STAT claims articles that it cannot deliver: articles are fetched from it instead.</param>
/// <param name="Bodies">Articles fetched from it after a positive STAT.</param>
/// <param name="Lies">How many of these it did not have, minus the posts for which its answers have been true since.</param>
internal sealed record HealthAccountBody(string Name, DateTimeOffset? Doubted, bool LiesByStat, int Bodies, int Lies);
