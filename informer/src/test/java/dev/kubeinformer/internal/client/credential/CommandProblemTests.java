package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link CommandProblem} with the messages of several JDKs.
 */
class CommandProblemTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					Cannot run program "/x": error=2, No such file or directory                  | the interpreter that its
					Cannot run program "/x": Exec failed, error: 2 (No such file or directory)   | the interpreter that its
					Cannot run program "/x": Exec failed, error: 2 (No such file or directory) x | the interpreter that its
					Cannot run program "/x": error=8, Exec format error                          | (error=8, Exec format error)
					Cannot run program "/x": Exec failed, error: 8 (Exec format error)           | (error: 8 (Exec format error))
					Cannot run program "/error=2, x": error=13, Permission denied                | (error=13, Permission denied)
					Cannot run program "/error: 2 x": error: 24 (Too many open files)            | (error: 24 (Too many open files))
					Cannot run program "/x": error=20, Not a directory                           | (error=20, Not a directory)
					Cannot run program "/x"                                                      | it is not a valid command
					""")
	void reasonOfTheSystemShouldBeFoundInTheMessageOfEachJdk(String message, String reason) throws IOException {
		Path file = Files.createFile(this.directory.resolve("plugin"),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		CommandProblem problem = CommandProblem.of(file.toString(), null, new IOException(message));
		assertThat(problem.text()).startsWith("cannot be started").contains(reason);
		assertThat(problem.missing()).isFalse();
	}

}
