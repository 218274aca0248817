namespace NzbDav.Access;

/// <summary>Why something was refused, for people.</summary>
internal sealed record ErrorBody(string Error);
