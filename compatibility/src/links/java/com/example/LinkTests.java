package com.example;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that everything that the published classes call is on the class path, in the
 * versions that are there. A class of a package that is not there belongs to an optional
 * library.
 */
class LinkTests {

	private static final List<String> LIBRARIES = List.of("io/kubernetes/", "okhttp3/", "okio/", "org/eclipse/jetty/",
			"org/springframework/", "tools/jackson/", "io/micrometer/");

	/** Callers that link late or fall back, and what they may miss. */
	private static final Map<String, String> GUARDED = Map.of(
			// The decoders of protobuf are those of client-java 27. JSON is read with any
			// version.
			"dev/kubeinformer/internal/codec/protobuf/", "io/kubernetes/client/openapi/models/",
			// A copier of models is used only for the fields of client-java 27.
			"dev/kubeinformer/internal/codec/copy/", "io/kubernetes/client/openapi/models/",
			// Used only by an embedded API server that was asked for protobuf.
			"dev/kubeinformer/test/internal/protobuf/Messages", "io/kubernetes/client/proto/");

	private final Map<String, Set<String>> members = new HashMap<>();

	private final Map<String, List<String>> supertypes = new HashMap<>();

	private final Set<String> packages = new HashSet<>();

	private final Map<String, Set<String>> missing = new TreeMap<>();

	@Test
	void everythingThatIsCalledShouldBeThere() throws IOException {
		List<byte[]> published = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(System.getProperty("path.separator"))) {
			Path path = Path.of(entry);
			if (Files.isDirectory(path)) {
				read(path, published);
			}
			else if (entry.endsWith(".jar") && Files.exists(path)) {
				try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + path.toUri()), Map.of())) {
					read(jar.getPath("/"), published);
				}
			}
		}
		assertThat(published).hasSizeGreaterThan(500);
		published.forEach(this::check);
		assertThat(this.missing).isEmpty();
	}

	private void read(Path root, List<byte[]> published) throws IOException {
		try (Stream<Path> files = Files.walk(root)) {
			for (Path file : (Iterable<Path>) files::iterator) {
				String name = root.relativize(file).toString().replace('\\', '/');
				if (name.endsWith(".class") && !name.startsWith("META-INF/") && name.contains("/")) {
					this.packages.add(name.substring(0, name.lastIndexOf('/')));
					if (name.startsWith("dev/kubeinformer/")) {
						published.add(Files.readAllBytes(file));
					}
				}
			}
		}
	}

	private void check(byte[] bytes) {
		ClassReader reader = new ClassReader(bytes);
		String owner = reader.getClassName();
		reader.accept(new ClassVisitor(Opcodes.ASM9) {

			@Override
			public void visit(int version, int access, String name, String signature, String superName,
					String[] interfaces) {
				type(superName, owner);
				for (String each : interfaces) {
					type(each, owner);
				}
			}

			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
					String[] exceptions) {
				return new Calls(owner + "." + name);
			}

		}, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
	}

	private void type(String name, String from) {
		String element = name.startsWith("[") ? Type.getType(name).getElementType().getClassName().replace('.', '/')
				: name;
		if (isOfLibrary(element) && members(element).isEmpty()) {
			missing(element, from);
		}
	}

	private void member(String owner, String member, String from) {
		type(owner, from);
		if (isOfLibrary(owner) && !members(owner).isEmpty() && !has(owner, member)) {
			missing(owner + "." + member, from);
		}
	}

	private void missing(String what, String from) {
		boolean guarded = GUARDED.entrySet()
			.stream()
			.anyMatch((entry) -> from.startsWith(entry.getKey()) && what.startsWith(entry.getValue()));
		if (!guarded) {
			this.missing.computeIfAbsent(what, (key) -> new TreeSet<>()).add(from);
		}
	}

	private boolean isOfLibrary(String name) {
		return LIBRARIES.stream().anyMatch(name::startsWith)
				&& this.packages.contains(name.substring(0, name.lastIndexOf('/')));
	}

	private boolean has(String owner, String member) {
		if (owner.equals("java/lang/Object")) {
			return Stream.of("<init>", "equals", "hashCode", "toString", "getClass", "notify", "notifyAll", "wait")
				.anyMatch((name) -> member.startsWith(name + "("));
		}
		// Members inherited from other libraries, such as the JDK, exist.
		return !isOfLibrary(owner) || members(owner).contains(member)
				|| this.supertypes.getOrDefault(owner, List.of()).stream().anyMatch((type) -> has(type, member));
	}

	private Set<String> members(String name) {
		Set<String> known = this.members.get(name);
		if (known != null) {
			return known;
		}
		Set<String> found = new HashSet<>();
		try (InputStream stream = LinkTests.class.getClassLoader().getResourceAsStream(name + ".class")) {
			if (stream != null) {
				found.add("");
				new ClassReader(stream).accept(new ClassVisitor(Opcodes.ASM9) {

					@Override
					public void visit(int version, int access, String owner, String signature, String superName,
							String[] interfaces) {
						List<String> all = new ArrayList<>(List.of(interfaces));
						all.add((superName != null) ? superName : "java/lang/Object");
						LinkTests.this.supertypes.put(name, all);
					}

					@Override
					public FieldVisitor visitField(int access, String field, String descriptor, String signature,
							Object value) {
						found.add(field + ":" + descriptor);
						return null;
					}

					@Override
					public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
							String[] exceptions) {
						found.add(method + descriptor);
						return null;
					}

				}, ClassReader.SKIP_CODE);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.members.put(name, found);
		return found;
	}

	private final class Calls extends MethodVisitor {

		private final String from;

		Calls(String from) {
			super(Opcodes.ASM9);
			this.from = from;
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			type(type, this.from);
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			member(owner, name + ":" + descriptor, this.from);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			if (!owner.startsWith("[")) {
				member(owner, name + descriptor, this.from);
			}
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			for (Object argument : arguments) {
				if (argument instanceof Handle handle) {
					String separator = handle.getDesc().startsWith("(") ? "" : ":";
					member(handle.getOwner(), handle.getName() + separator + handle.getDesc(), this.from);
				}
			}
		}

		@Override
		public void visitLdcInsn(Object value) {
			if (value instanceof Type type && type.getSort() == Type.OBJECT) {
				type(type.getInternalName(), this.from);
			}
		}

	}

}
