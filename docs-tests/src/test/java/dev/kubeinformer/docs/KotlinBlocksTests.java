package dev.kubeinformer.docs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Kotlin code of the pages compiles, in one run of its compiler. A block
 * is a file, with the imports that it names and those that Java's blocks are given.
 */
@Tag("slow")
class KotlinBlocksTests {

	/** Names that Kotlin itself provides, and names other than classes. */
	private static final Set<String> KOTLIN = Set.of("List", "Map", "Set", "Collection", "Any", "Unit", "Int", "Array",
			"Pair");

	@Test
	void codeShouldCompile(@TempDir Path directory) throws IOException {
		List<Block> blocks = new ArrayList<>();
		for (Page page : Page.with("kotlin")) {
			blocks.addAll(page.blocks("kotlin"));
		}
		if (!blocks.isEmpty()) {
			assertThat(compile(blocks, directory)).isEmpty();
		}
	}

	private static String compile(List<Block> blocks, Path directory) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-no-stdlib", "-no-reflect", "-jvm-target", "17", "-nowarn",
				"-classpath", System.getProperty("java.class.path"), "-d", directory.resolve("classes").toString()));
		Imports imports = new Imports(System.getProperty("java.class.path"));
		for (Block block : blocks) {
			Path file = directory.resolve(block.toString().replaceAll("\\W", "_") + ".kt");
			Files.writeString(file, source(block, imports));
			arguments.add(file.toString());
		}
		ByteArrayOutputStream said = new ByteArrayOutputStream();
		ExitCode code;
		try (PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8)) {
			code = new K2JVMCompiler().exec(stream, arguments.toArray(String[]::new));
		}
		return (code == ExitCode.OK) ? "" : said.toString(StandardCharsets.UTF_8);
	}

	/**
	 * The file of a block: its first line has the package and the imports.
	 */
	private static String source(Block block, Imports imports) {
		if (block.code().startsWith("package ")) {
			return block.code();
		}
		// The blocks of a page see one another.
		String name = block.page().toString().replaceAll("\\W", "_").toLowerCase(Locale.ROOT);
		return "package pages." + name + "; " + imports.of(block.code(), KOTLIN) + "\n" + block.code();
	}

}
