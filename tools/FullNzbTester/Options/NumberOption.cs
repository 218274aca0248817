using System.CommandLine;

namespace NzbDav.FullNzbTester;

/// <summary>Options of the command line that take a number.</summary>
internal static class NumberOption
{
    /// <param name="name">With its dashes.</param>
    /// <param name="value">Taken when it is not said.</param>
    /// <param name="description">In the help.</param>
    /// <param name="least">Less is refused.</param>
    public static Option<int> Create(string name, int value, string description, int least)
    {
        var option = new Option<int>(name) { Description = description, DefaultValueFactory = _ => value };
        option.Validators.Add(result =>
        {
            if (!result.Errors.Any() && result.GetValueOrDefault<int>() < least)
                result.AddError($"{name} must be at least {least}.");
        });
        return option;
    }
}
