namespace NzbDav.Usenet.Checks;

/// <summary>A step found something wrong: its message says what, and what to do. Never leaves the check.</summary>
internal sealed class CheckFailedException(string message) : Exception(message);
