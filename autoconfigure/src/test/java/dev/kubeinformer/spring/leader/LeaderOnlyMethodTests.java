package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.LeaderOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of methods that only the leader enters.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderOnlyMethodTests {

	private final FakeLeadership leadership = new FakeLeadership();

	private final List<String> skipped = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner alone = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=20s");

	private final ApplicationContextRunner runner = this.alone.withBean(Leadership.class, () -> this.leadership)
		.withBean(LeaderSkipListener.class, () -> (method) -> this.skipped.add(describe(method)));

	private static String describe(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

	@Test
	void voidMethodShouldBeSkippedWhileAnotherReplicaLeads() {
		this.runner.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.run();
			assertThat(service.runs()).isZero();
			assertThat(this.skipped).containsExactly("Service.run");
			this.leadership.grant();
			service.run();
			assertThat(service.runs()).isOne();
			this.leadership.expire();
			service.run();
			assertThat(service.runs()).isOne();
		});
	}

	@Test
	void methodThatReturnsSomethingShouldThrow() {
		this.runner.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(service::count)
				.withMessageContaining("'Service.count' is leader-only");
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(service::future);
			assertThat(this.skipped).containsExactly("Service.count", "Service.future");
			this.leadership.grant();
			assertThat(service.count()).isZero();
		});
	}

	@Test
	void methodsWithoutTheAnnotationShouldNotBeGuarded() {
		this.runner.withBean(Service.class).withBean(Plain.class).run((context) -> {
			assertThat(context.getBean(Service.class).runs()).isZero();
			assertThat(AopUtils.isAopProxy(context.getBean(Plain.class))).isFalse();
		});
	}

	@Test
	void allMethodsOfATypeThatAreNotPrivateShouldBeGuarded() {
		this.runner.withBean(AllOfType.class).run((context) -> {
			AllOfType bean = context.getBean(AllOfType.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::declared);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::inherited);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::packagePrivate);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::ofSubclasses);
			assertThat(bean.toString()).isEqualTo("all of a type");
			assertThat(bean).isEqualTo(bean).isNotEqualTo("other");
			assertThat(bean.isRunning()).isTrue();
		});
	}

	@Test
	void scheduledMethodOfATypeShouldRunAtTheLeaderAloneWhenItIsNotPublic() {
		this.runner.withUserConfiguration(Scheduling.class).withBean(TickerOfType.class).run((context) -> {
			await().until(() -> this.skipped.size() > 2);
			assertThat(TickerOfType.TICKS).hasValue(0);
		});
	}

	@Test
	void containerShouldAskATypeThatIsGuarded() {
		this.runner.withBean(OrderedRunner.class).withBean(Product.class).withBean(Listener.class).run((context) -> {
			assertThat(context).hasNotFailed();
			OrderedRunner bean = context.getBean(OrderedRunner.class);
			assertThat(bean.getOrder()).isEqualTo(7);
			bean.run(new DefaultApplicationArguments());
			assertThat(this.skipped).contains("OrderedRunner.run");
			assertThat(context.getBean(StringBuilder.class)).hasToString("product");
			Listener listener = context.getBean(Listener.class);
			assertThat(listener.supportsEventType(ContextRefreshedEvent.class)).isTrue();
			assertThat(this.skipped).contains("Listener.onApplicationEvent");
		});
	}

	@Test
	void lifecycleOfATypeShouldNotBeGuarded() {
		this.runner.withBean(Plainest.class).run((context) -> {
			Plainest bean = context.getBean(Plainest.class);
			bean.start();
			assertThat(bean.isRunning()).isTrue();
			assertThat(bean.getPhase()).isEqualTo(5);
			assertThat(this.skipped).isEmpty();
		});
	}

	@Test
	void beanMethodsOfATypeShouldNotBeGuarded() {
		this.runner.withUserConfiguration(LeaderOnlyBeans.class)
			.run((context) -> assertThat(context.getBean(StringBuilder.class)).hasToString("bean"));
	}

	@Test
	void annotationOfTheSuperclassShouldBeInherited() {
		this.runner.withBean(Inheriting.class)
			.run((context) -> assertThatExceptionOfType(NotLeaderException.class)
				.isThrownBy(() -> context.getBean(Inheriting.class).own()));
	}

	@Test
	void implementationOfAGenericMethodShouldBeGuarded() {
		this.runner.withBean(Generic.class).run((context) -> {
			Supplier<String> bean = context.getBean(Generic.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::get);
		});
	}

	@Test
	void jdkProxyShouldBeGuarded() {
		this.runner.withBean(JdkProxied.class).run((context) -> {
			Task task = context.getBean(Task.class);
			task.run();
			assertThat(this.skipped).containsExactly("TaskImplementation.run");
			assertThat(((Advised) task).getAdvisors()).hasSize(1);
		});
	}

	@Test
	void replicaThatIsAloneShouldEnterAllMethods() {
		this.alone.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.run();
			assertThat(service.count()).isOne();
		});
	}

	@Test
	void nothingShouldBeGuardedWhereInformersAreOff() {
		this.alone.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.leader.enabled=true")
			.withBean(Service.class)
			.withBean(PrivateMethod.class)
			.run((context) -> {
				assertThat(AopUtils.isAopProxy(context.getBean(Service.class))).isFalse();
				assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
			});
	}

	@Test
	void scheduledMethodShouldRunAtTheLeaderAlone() {
		this.runner.withUserConfiguration(Scheduling.class).withBean(Ticker.class).run((context) -> {
			await().until(() -> this.skipped.size() > 2);
			Ticker ticker = context.getBean(Ticker.class);
			assertThat(ticker.ticks()).isZero();
			this.leadership.grant();
			await().until(() -> ticker.ticks() > 2);
		});
	}

	@Test
	void asynchronousMethodShouldBeDecidedWhenItRuns() {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean(AsyncService.class)
			.run(this::assertDecidedInExecutor);
	}

	@Test
	void asynchronousMethodShouldBeDecidedWhenItRunsWhateverTheOrderOfAsync() {
		this.runner.withUserConfiguration(EarlyAsyncConfiguration.class)
			.withBean(AsyncService.class)
			.run(this::assertDecidedInExecutor);
	}

	private void assertDecidedInExecutor(ApplicationContext context) throws Exception {
		AsyncService service = context.getBean(AsyncService.class);
		assertThat(((Advised) service).getAdvisors()[0].getAdvice()).isInstanceOf(AsyncExecutionInterceptor.class);
		CompletableFuture<String> future = service.future();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> future.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(NotLeaderException.class);
		this.leadership.grant();
		assertThat(service.future().get(20, TimeUnit.SECONDS)).startsWith("async-");
	}

	@Test
	void guardShouldComeBeforeOtherAdvice() {
		this.runner.withBean(Advising.class).withBean(AdvisedService.class).run((context) -> {
			AdvisedService service = context.getBean(AdvisedService.class);
			service.run();
			assertThat(context.getBean(Advising.class).calls).hasValue(0);
			this.leadership.grant();
			service.run();
			assertThat(context.getBean(Advising.class).calls).hasValue(1);
		});
	}

	@Test
	void drainShouldWaitForCallsUnderWayAndRefuseFurtherOnes() {
		this.runner.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			this.leadership.grant();
			Thread caller = new Thread(service::block);
			caller.start();
			service.entered().await(20, TimeUnit.SECONDS);
			CompletableFuture<Boolean> release = CompletableFuture.supplyAsync(this::release);
			await().until(() -> {
				int before = this.skipped.size();
				service.run();
				return this.skipped.size() > before;
			});
			assertThat(release).isNotDone();
			service.go().countDown();
			assertThat(release.get(20, TimeUnit.SECONDS)).isTrue();
			assertThat(service.interrupts()).isZero();
		});
	}

	private boolean release() {
		try {
			return this.leadership.release();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void callThatOutlastsTheDrainTimeoutShouldNotBeReleased() {
		this.runner.withBean(Service.class)
			.withPropertyValues("kubernetes.informers.shutdown.drain-timeout=50ms")
			.run((context) -> {
				Service service = context.getBean(Service.class);
				this.leadership.grant();
				Thread caller = new Thread(service::block);
				caller.start();
				service.entered().await(20, TimeUnit.SECONDS);
				assertThat(release()).isFalse();
				service.go().countDown();
				await().until(this::release);
			});
	}

	@Test
	void lossShouldInterruptCallsUnderWay() {
		this.runner.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			this.leadership.grant();
			CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
				service.block();
				return Thread.currentThread().isInterrupted();
			});
			service.entered().await(20, TimeUnit.SECONDS);
			this.leadership.lose();
			assertThat(interrupted.get(20, TimeUnit.SECONDS)).isFalse();
			assertThat(service.interrupts()).isOne();
		});
	}

	@Test
	void callsShouldBeRefusedAfterTheStopAndEnteredAfterTheNextStart() {
		this.runner.withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			this.leadership.grant();
			context.stop();
			assertThat(this.leadership.works()).isZero();
			service.run();
			assertThat(service.runs()).isZero();
			context.start();
			service.run();
			assertThat(service.runs()).isOne();
		});
	}

	@Test
	void postProcessorShouldNotCreateBeansEarly(CapturedOutput output) {
		this.runner.withBean(Service.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
		});
	}

	@Test
	void lazyBeansShouldBeGuarded() {
		this.runner.withPropertyValues("spring.main.lazy-initialization=true")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(Service.class)
			.run((context) -> {
				context.getBean(Service.class).run();
				assertThat(this.skipped).containsExactly("Service.run");
				this.leadership.grant();
				context.getBean(Service.class).run();
				assertThat(context.getBean(Service.class).runs()).isOne();
			});
	}

	public static class Service {

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger interrupts = new AtomicInteger();

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch go = new CountDownLatch(1);

		@LeaderOnly
		void run() {
			this.runs.incrementAndGet();
		}

		@LeaderOnly
		public int count() {
			return this.runs.get();
		}

		@LeaderOnly
		public CompletableFuture<Void> future() {
			return CompletableFuture.completedFuture(null);
		}

		@LeaderOnly
		public void block() {
			this.entered.countDown();
			try {
				this.go.await();
			}
			catch (InterruptedException ex) {
				this.interrupts.incrementAndGet();
				Thread.currentThread().interrupt();
			}
		}

		public int runs() {
			return this.runs.get();
		}

		public int interrupts() {
			return this.interrupts.get();
		}

		public CountDownLatch entered() {
			return this.entered;
		}

		public CountDownLatch go() {
			return this.go;
		}

	}

	public static class Plain {

		public void run() {
		}

	}

	public static class Base {

		public String inherited() {
			return "called";
		}

	}

	@LeaderOnly
	public static class AllOfType extends Base implements SmartLifecycle {

		private volatile boolean running;

		public String declared() {
			return "called";
		}

		String packagePrivate() {
			return "called";
		}

		protected String ofSubclasses() {
			return "called";
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof AllOfType;
		}

		@Override
		public int hashCode() {
			return 1;
		}

		@Override
		public String toString() {
			return "all of a type";
		}

	}

	@LeaderOnly
	static class TickerOfType {

		static final AtomicInteger TICKS = new AtomicInteger();

		@Scheduled(fixedRate = 5)
		void tick() {
			TICKS.incrementAndGet();
		}

	}

	@LeaderOnly
	static class OrderedRunner implements ApplicationRunner, Ordered {

		@Override
		public void run(ApplicationArguments args) {
			throw new IllegalStateException("called");
		}

		@Override
		public int getOrder() {
			return 7;
		}

	}

	@LeaderOnly
	static class Product implements FactoryBean<StringBuilder> {

		@Override
		public StringBuilder getObject() {
			return new StringBuilder("product");
		}

		@Override
		public Class<?> getObjectType() {
			return StringBuilder.class;
		}

	}

	@LeaderOnly
	static class Listener implements SmartApplicationListener {

		@Override
		public boolean supportsEventType(Class<? extends ApplicationEvent> eventType) {
			return eventType == ContextRefreshedEvent.class;
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			throw new IllegalStateException("called");
		}

	}

	@LeaderOnly
	static class Plainest implements Lifecycle, Phased {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return 5;
		}

	}

	@LeaderOnly
	@Configuration(proxyBeanMethods = false)
	static class LeaderOnlyBeans {

		@Bean
		StringBuilder text() {
			return new StringBuilder("bean");
		}

	}

	public static class Inheriting extends AllOfType {

		public String own() {
			return "called";
		}

	}

	static class Generic implements Supplier<String> {

		@Override
		@LeaderOnly
		public String get() {
			return "called";
		}

	}

	interface Task extends Runnable {

	}

	static class TaskImplementation implements Task {

		@Override
		@LeaderOnly
		public void run() {
		}

	}

	static class JdkProxied implements FactoryBean<Task> {

		@Override
		public Task getObject() {
			ProxyFactory factory = new ProxyFactory(new TaskImplementation());
			return (Task) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Task.class;
		}

	}

	static class PrivateMethod {

		@LeaderOnly
		private void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Ticker {

		private final AtomicInteger ticks = new AtomicInteger();

		@Scheduled(fixedRate = 5)
		@LeaderOnly
		void tick() {
			this.ticks.incrementAndGet();
		}

		int ticks() {
			return this.ticks.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

		@Bean
		Executor taskExecutor() {
			return new SimpleAsyncTaskExecutor("async-");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(order = 0)
	static class EarlyAsyncConfiguration {

		@Bean
		Executor taskExecutor() {
			return new SimpleAsyncTaskExecutor("async-");
		}

	}

	public static class AsyncService {

		@Async
		@LeaderOnly
		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

	}

	public static class AdvisedService {

		@LeaderOnly
		public void run() {
		}

	}

	/** Proxies beans like an auto-proxy creator. */
	static class Advising implements BeanPostProcessor, Ordered {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof AdvisedService)) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.setProxyTargetClass(true);
			factory.addAdvice((MethodInterceptor) (invocation) -> {
				this.calls.incrementAndGet();
				return invocation.proceed();
			});
			return factory.getProxy();
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
