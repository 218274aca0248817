namespace NzbDav.Api.Sab.Answers;

/// <summary>Names of categories; <c>*</c>, which means any, comes first.</summary>
internal sealed record CategoriesAnswer(IReadOnlyList<string> Categories);
