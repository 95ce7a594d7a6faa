package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

import org.springframework.util.FileSystemUtils;

/**
 * The compiler of pages, with the class path of this module, which it reads once.
 */
class PageCompiler implements AutoCloseable {

	private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

	private final StandardJavaFileManager files = this.compiler.getStandardFileManager(null, null, null);

	private final Imports imports = new Imports(System.getProperty("java.class.path"));

	Imports imports() {
		return this.imports;
	}

	StandardJavaFileManager files() {
		return this.files;
	}

	/**
	 * Compiles files.
	 * @param sources the files
	 * @param directory where the classes go; it is emptied before
	 * @param release the release of Java that the code is for
	 * @return what the compiler says
	 */
	List<Diagnostic<? extends JavaFileObject>> compile(List<JavaFileObject> sources, Path directory, int release)
			throws IOException {
		FileSystemUtils.deleteRecursively(directory);
		Files.createDirectories(directory);
		this.files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(directory.toFile()));
		List<String> options = new ArrayList<>(List.of("-proc:none", "-parameters", "-nowarn"));
		if (release != Runtime.version().feature()) {
			options.addAll(List.of("--release", String.valueOf(release)));
		}
		DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
		this.compiler.getTask(null, this.files, said, options, null, sources).call();
		return said.getDiagnostics();
	}

	@Override
	public void close() throws IOException {
		this.files.close();
	}

}
