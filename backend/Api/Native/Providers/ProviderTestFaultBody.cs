namespace NzbDav.Api.Native.Providers;

/// <summary>A fault in a value that was sent.</summary>
/// <param name="Path">The field.</param>
/// <param name="Message">What is wrong with it.</param>
internal sealed record ProviderTestFaultBody(string Path, string Message);
