namespace NzbDav.Host.Arrs;

/// <summary>Result of a repair.</summary>
/// <param name="Name">Name of the *arr that has the file.</param>
/// <param name="Status">Outcome.</param>
/// <param name="Message">The outcome as text.</param>
/// <param name="RetryAfterSeconds">Seconds to wait before asking again.</param>
internal sealed record RepairAnswer(string Name, Arr.Repair.RepairStatus Status, string Message, double? RetryAfterSeconds);
