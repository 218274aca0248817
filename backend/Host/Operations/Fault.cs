namespace NzbDav.Host.Operations;

/// <summary>Answer of a call that cannot be done.</summary>
internal sealed record Fault(string Error);
