package dev.kubeinformer.publication;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/**
 * The modules of the build, as their POMs describe them.
 */
final class Modules {

	static final Path ROOT = Path.of("..");

	private Modules() {
	}

	static Model root() {
		return read(ROOT);
	}

	static List<Module> all() {
		return root().getModules()
			.stream()
			.map((name) -> new Module(ROOT.resolve(name), read(ROOT.resolve(name))))
			.toList();
	}

	static List<Module> published() {
		return all().stream().filter(Module::published).toList();
	}

	static List<Module> publishedWithCode() {
		return published().stream()
			.filter((module) -> Files.isDirectory(module.directory().resolve("src/main/java")))
			.toList();
	}

	private static Model read(Path directory) {
		try (Reader pom = Files.newBufferedReader(directory.resolve("pom.xml"))) {
			return new MavenXpp3Reader().read(pom);
		}
		catch (IOException | XmlPullParserException ex) {
			throw new IllegalStateException("Cannot read the POM in " + directory, ex);
		}
	}

	record Module(Path directory, Model model) {

		String artifact() {
			return this.model.getArtifactId();
		}

		boolean published() {
			return !Boolean.parseBoolean(this.model.getProperties().getProperty("maven.deploy.skip"));
		}

		@Override
		public String toString() {
			return artifact();
		}

	}

}
