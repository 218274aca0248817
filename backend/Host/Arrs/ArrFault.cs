namespace NzbDav.Host.Arrs;

/// <summary>What went wrong.</summary>
/// <param name="Error">In words.</param>
internal sealed record ArrFault(string Error);
