package dev.kubeinformer.test.internal.http;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Disables the rate limit of HTTP/2 frames. A version 12.1 of Jetty moved
 * {@code RateControl} to another package. Therefore the type is not imported: it is the
 * type of the parameter of Jetty's method.
 */
final class UnlimitedRate {

	private UnlimitedRate() {
	}

	static void set(AbstractHTTP2ServerConnectionFactory http2) {
		Method setter = Arrays.stream(AbstractHTTP2ServerConnectionFactory.class.getMethods())
			.filter((method) -> method.getName().equals("setRateControlFactory"))
			.findFirst()
			.orElseThrow();
		Class<?> factory = setter.getParameterTypes()[0];
		try {
			setter.invoke(http2,
					Proxy.newProxyInstance(factory.getClassLoader(), new Class<?>[] { factory }, UnlimitedRate::call));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Jetty does not take '%s'".formatted(factory.getName()), ex);
		}
	}

	// The default method of the factory creates an unlimited rate.
	private static @Nullable Object call(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(proxy, method, arguments);
		}
		return switch (method.getName()) {
			case "equals" -> arguments != null && proxy == arguments[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> "unlimited";
		};
	}

}
