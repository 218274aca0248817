namespace NzbDav.Access.Secrets;

/// <summary>An API key.</summary>
/// <param name="Value">The key; null: there is none.</param>
internal sealed record KeyBody(string? Value);
