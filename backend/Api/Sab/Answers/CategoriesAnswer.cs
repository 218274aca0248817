namespace NzbDav.Api.Sab;

/// <summary>Names of categories, <c>*</c> for any first.</summary>
internal sealed record CategoriesAnswer(IReadOnlyList<string> Categories);
