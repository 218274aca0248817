namespace NzbDav.Host.Arrs;

/// <summary>What became of a repair.</summary>
/// <param name="Name">Who has the file.</param>
/// <param name="Status">How it ended.</param>
/// <param name="Message">In words.</param>
/// <param name="RetryAfterSeconds">Ask again after so long.</param>
internal sealed record RepairAnswer(string Name, Arr.Repair.RepairStatus Status, string Message, double? RetryAfterSeconds);
