package dev.kubeinformer.spring.bean;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * Finds the classes of objects that a method may return. Reads the method's bytecode,
 * because the declared return type may be only an interface. If the method returns an
 * instance that it creates, finds the class of the instance. If it returns a value from
 * another method or a field, finds the declared type of the value.
 */
final class ReturnedTypes extends MethodVisitor {

	private final Set<String> returned = new LinkedHashSet<>();

	/** Types of local variables by index. */
	private final Map<Integer, String> variables = new HashMap<>();

	/** Type on top of the stack; {@code null} if it is not known. */
	private @Nullable String top;

	private ReturnedTypes() {
		super(SpringAsmInfo.ASM_VERSION);
	}

	/**
	 * Reads a method.
	 * @param method the method
	 * @return the classes that could be found; empty without bytecode, as in a native
	 * image
	 */
	static Set<Class<?>> of(Method method) {
		if (NativeDetector.inNativeImage()) {
			return Set.of();
		}
		Class<?> declaring = ClassUtils.getUserClass(method.getDeclaringClass());
		ReturnedTypes types = new ReturnedTypes();
		try (InputStream bytecode = declaring.getResourceAsStream(ClassUtils.getClassFileName(declaring))) {
			if (bytecode != null) {
				new ClassReader(bytecode).accept(types.visitor(method),
						ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | RuntimeException ex) {
			// The class file may be too new for this version of Spring to read.
			return Set.of();
		}
		Set<Class<?>> classes = new LinkedHashSet<>();
		for (String name : types.returned) {
			if (ClassUtils.isPresent(name, declaring.getClassLoader())) {
				classes.add(ClassUtils.resolveClassName(name, declaring.getClassLoader()));
			}
		}
		return classes;
	}

	private ClassVisitor visitor(Method method) {
		return new ClassVisitor(SpringAsmInfo.ASM_VERSION) {

			@Override
			public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
					@Nullable String signature, String @Nullable [] exceptions) {
				return (name.equals(method.getName()) && descriptor.equals(Type.getMethodDescriptor(method)))
						? ReturnedTypes.this : null;
			}

		};
	}

	@Override
	public void visitInsn(int opcode) {
		if (opcode == Opcodes.ARETURN && this.top != null) {
			this.returned.add(this.top);
		}
		this.top = null;
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
		this.top = name.equals("<init>") ? Type.getObjectType(owner).getClassName()
				: Type.getReturnType(descriptor).getClassName();
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		this.top = (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) ? Type.getType(descriptor).getClassName()
				: null;
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		this.top = (opcode == Opcodes.CHECKCAST) ? Type.getObjectType(type).getClassName() : null;
	}

	@Override
	public void visitVarInsn(int opcode, int variable) {
		if (opcode == Opcodes.ASTORE) {
			this.variables.put(variable, this.top);
		}
		this.top = (opcode == Opcodes.ALOAD) ? this.variables.get(variable) : null;
	}

	@Override
	public void visitJumpInsn(int opcode, Label label) {
		if (opcode == Opcodes.GOTO && this.top != null) {
			// This is the first value of a conditional expression, and the method may
			// return it.
			this.returned.add(this.top);
		}
		this.top = null;
	}

	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
		this.top = null;
	}

	@Override
	public void visitLdcInsn(Object value) {
		this.top = null;
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		this.top = null;
	}

}
